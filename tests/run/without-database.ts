/** Folders whose tests open no database, so the run on PostgreSQL does not repeat them. */
export const withoutDatabase = [
  'server/base',
  'server/demo/identity/emulator',
  'server/identity',
  'server/launch',
  'server/parsing',
];
