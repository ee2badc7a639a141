/** The tables and settings of the embedded store's file. A change of the tables is a new FORMAT. */

/** "TwSt", so that `file` and we can tell our files from others. */
export const APPLICATION_ID = 0x54775374;
export const FORMAT = 1;

/**
 * In this order: the lock mode has to stand before the first read, so that no second process gets in. FULL syncs at every
 * commit; NORMAL would survive a killed process but not a power cut. fullfsync is what macOS needs for the same promise.
 */
export const SETTINGS: readonly string[] = [
  'PRAGMA locking_mode = EXCLUSIVE',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA fullfsync = ON',
  'PRAGMA foreign_keys = OFF',
  'BEGIN EXCLUSIVE',
  'COMMIT',
];

export const SCHEMA: readonly string[] = [
  `PRAGMA application_id = ${APPLICATION_ID}`,
  `PRAGMA user_version = ${FORMAT}`,
  `CREATE TABLE journal (
     position INTEGER PRIMARY KEY,
     kind TEXT NOT NULL,
     seq INTEGER NOT NULL,
     time INTEGER NOT NULL,
     data TEXT NOT NULL,
     link TEXT NOT NULL
   ) STRICT`,
  'CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE head (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     genesis TEXT NOT NULL,
     position INTEGER NOT NULL,
     link TEXT NOT NULL
   ) STRICT`,
];
