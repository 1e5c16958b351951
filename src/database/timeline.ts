/**
 * SQL that returns the timeline of the write-ahead log as eight hexadecimal digits. A promotion and a point-in-time
 * recovery each begin a new timeline.
 */
export const currentTimeline = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'
