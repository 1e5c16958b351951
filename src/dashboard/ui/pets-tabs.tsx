import { Link } from '../app/router.tsx'

const parts = [
  { page: 'pets', label: 'Pets' },
  { page: 'pets/categories', label: 'Categories' },
] as const

export function PetsTabs({ part }: { part: (typeof parts)[number]['page'] }) {
  return (
    <nav className="tabs" aria-label="Pets and categories">
      {parts.map(({ page, label }) => (
        <Link key={page} to={{ page, project: null }} aria-current={page === part ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  )
}
