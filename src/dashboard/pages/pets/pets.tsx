import { useState } from 'react'
import { useActFromAddress } from '../../app/act-from-address.ts'
import { useRouter } from '../../app/router.tsx'
import { useMissing } from '../../app/session.ts'
import type { PetRowFragment } from '../../generated/pages/graphql.ts'
import { t } from '../../texts/pages.ts'
import { Button } from '../../ui/button.tsx'
import { useFileDrop } from '../../ui/file-drop.ts'
import { firstPage } from '../../ui/filter.tsx'
import { DownloadIcon, PlusIcon, UploadIcon } from '../../ui/icons.tsx'
import { MissingScope } from '../../ui/missing-scope.tsx'
import { PageHead } from '../../ui/page.tsx'
import { PetsTabs } from '../../ui/pets-tabs.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { AddPet } from './add-pet.tsx'
import { ExportPets } from './export-pets.tsx'
import { ImportPets } from './import/import-pets.tsx'
import { PetList } from './pet-list.tsx'

export default function Pets() {
  const [adding, setAdding, closeAdd] = useDialog<true>()
  const [exporting, setExporting, closeExport] = useDialog<true>()
  // The pet added last, shown until the URL changes.
  const [added, setAdded] = useState<{ pet: PetRowFragment; search: string } | null>(null)
  /**
   * The files that were dropped, or an empty list if the reader clicked the import button. Null while the import is
   * closed.
   */
  const [importing, setImporting] = useState<readonly File[] | null>(null)
  const [imports, setImports] = useState(0)
  const { query, ask } = useRouter()
  const search = query.toString()
  const mayRead = useMissing('pets_read')
  const mayWrite = useMissing('pets_write')
  const isOver = useFileDrop(mayWrite === null ? setImporting : null)
  useActFromAddress('add', () => setAdding(true))
  useActFromAddress('import', () => setImporting([]))
  useActFromAddress('export', () => setExporting(true))
  const showImported = () => {
    ask({ ...firstPage, status: null, name: null, categoryId: null, sort: 'newest_first' })
    setImports(imports + 1)
  }
  const actions = (
    <>
      <Button missing={mayRead} onClick={() => setExporting(true)}>
        <DownloadIcon /> {t.pets.exportIt}
      </Button>
      <Button missing={mayWrite} onClick={() => setImporting([])}>
        <UploadIcon /> {t.pets.importIt}
      </Button>
      <Button kind="primary" missing={mayWrite} onClick={() => setAdding(true)}>
        <PlusIcon /> {t.pets.addPet}
      </Button>
    </>
  )
  return (
    <>
      <PageHead title={t.pets.title} actions={actions}>
        {t.pets.everythingInYourStoreViewing}
      </PageHead>
      <PetsTabs part="pets" />
      {mayRead === null ? (
        <PetList
          key={imports}
          added={added?.search === search ? added.pet : null}
          onAdd={mayWrite === null ? () => setAdding(true) : null}
        />
      ) : (
        <MissingScope scope={mayRead} what={t.pets.pets} />
      )}
      {exporting && <ExportPets filters={filtersOf(query)} onClose={closeExport} />}
      {importing && (
        <ImportPets dropped={importing} onImported={showImported} onClose={() => setImporting(null)} />
      )}
      {isOver && !importing && <p className="drop-here">{t.pets.dropFileToLookAt}</p>}
      {adding && <AddPet onAdded={pet => setAdded({ pet, search })} onClose={closeAdd} />}
    </>
  )
}

/** The list's filters as REST parameters. */
const filtersOf = (query: URLSearchParams) => ({
  status: query.get('status'),
  categoryId: query.get('categoryId'),
  name: query.get('name'),
})
