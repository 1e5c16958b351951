/**
 * SQL for the timeline of the write-ahead log, as eight hexadecimal digits. A promotion and a point-in-time recovery
 * begin a new one.
 */
export const currentTimeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
