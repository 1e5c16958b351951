import { Link } from '../app/router.tsx'
import { t } from '../texts/pages.ts'

const parts = [
  { page: 'pets', label: t.ui.pets },
  { page: 'pets/categories', label: t.ui.categories },
] as const

export function PetsTabs({ part }: { part: (typeof parts)[number]['page'] }) {
  return (
    <nav className="tabs" aria-label={t.ui.petsAndCategories}>
      {parts.map(({ page, label }) => (
        <Link key={page} to={{ page, project: null }} aria-current={page === part ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
