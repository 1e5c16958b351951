import { parseExportFilter } from '../core/events/audit-rules.ts'
import { exportAudit, priceOfAuditExport } from '../core/events/export.ts'
import { scopeFor } from '../core/keys/caller.ts'
import { exportPets, priceOfExport } from '../core/pets/export.ts'
import { parseFilters } from '../core/pets/rules.ts'
import type { Tools } from '../tools.ts'
import { auditFormats, safeAudit } from './audit-formats.ts'
import { exportRoute } from './export.ts'
import { petFormats, safePets } from './pet-formats.ts'

export const exportPetsRoute = ({ database, pets }: Tools) =>
  exportRoute({
    path: '/pets/export',
    file: 'pets',
    scope: scopeFor.exportPets,
    parameters: ['status', 'categoryId', 'name'],
    parseFilters,
    priceOf: (project, filters) => priceOfExport(database, project, filters),
    read: (project, filters) => exportPets(pets, project, filters),
    formats: petFormats,
    safe: safePets,
  })

export const exportEventsRoute = ({ database }: Tools) =>
  exportRoute({
    path: '/events/export',
    file: 'activity',
    scope: scopeFor.readAudit,
    parameters: ['kind', 'type', 'subject', 'actor', 'since', 'until'],
    parseFilters: parseExportFilter,
    priceOf: project => priceOfAuditExport(database, project),
    read: (project, filter) => exportAudit(database, project, filter),
    formats: auditFormats,
    safe: safeAudit,
  })
