import type { OverviewQuery, WindowFragment } from '../../generated/graphql.ts'

export type News = NonNullable<OverviewQuery['project']>
export type Limits = { minute: WindowFragment; day: WindowFragment; news: News | undefined }

const nearFrom = 0.8
const isNear = (used: number, most: number) => most > 0 && used >= nearFrom * most

export const spent = ({ limit, remaining }: WindowFragment) => limit - remaining

export const isWindowNear = (window: WindowFragment) => isNear(spent(window), window.limit)
export const areDomainsNear = (news: News | undefined) =>
  isNear(news?.domains.nodes.length ?? 0, news?.limits.domains ?? 0)

/** True if the use of the project is near a limit, or if an API key expires soon. */
export const hasWarnings = ({ minute, day, news }: Limits) =>
  [minute, day].some(isWindowNear) || areDomainsNear(news) || (news?.ending.nodes.length ?? 0) > 0
