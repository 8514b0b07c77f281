// Allowed imports. Floors are listed from the top: a file imports from its own floor and those below it. `npm run check`
// enforces them; tests/structure/floors.test.ts verifies that wrong imports are refused.

/** Tests and their helpers may import anything. */
const TESTS = '\\.(test|spec)\\.tsx?$|(^|/)testkit/';

/** Only the build imports it, in place of Vite's helper (vite.config.ts). */
const IMPORT_HELPER = '^src/net/import-module\\.ts$';

const FLOORS = {
  commands: ['cli', 'nouns', 'kit', 'run', 'line', 'registry', 'query', 'session', 'model', 'locales', 'units', 'text'],
  src: [
    'app',
    'screens',
    'onboarding',
    'shell',
    'sign-in',
    'palette',
    'keys',
    'filter',
    'panel',
    'form',
    'table',
    'run',
    'search',
    'address',
    'acting',
    'data',
    'auth',
    'net',
    'keymap',
    'registry',
    'i18n',
    'state',
    'ui',
  ],
  server: [
    'launch',
    'start',
    'demo',
    'http',
    'jobs',
    'domains',
    'publishing',
    'session',
    'mail',
    'app',
    'events',
    'identity',
    'policies',
    'parsing',
    'db',
    'wire',
    'base',
  ],
};

/** Runs in the sandbox, which gets it as text. */
const HARNESS = '^server/parsing/workers/harness\\.mjs$';

/** Files outside all floors. */
const BESIDE = '^(commands/platform\\.d\\.ts|server/main\\.ts)$';

/** Packages of the contract. Commands need only these, and one that names browsers. */
const WIRE = 'node_modules/(@bufbuild/protobuf|@connectrpc/connect)/';

const rule = (name, from, to) => ({ name, severity: 'error', from: { pathNot: TESTS, ...from }, to });

const floorRules = Object.entries(FLOORS).flatMap(([root, floors]) => [
  rule(`${root}-has-floors`, { path: `^${root}/`, pathNot: [TESTS, `^${root}/(${floors.join('|')})/`, BESIDE] }, {}),
  ...floors.slice(1).map((floor, index) =>
    rule(
      `${root}-${floor}-below`,
      { path: `^${root}/${floor}/` },
      {
        path: `^${root}/(${floors.slice(0, index + 1).join('|')})/`,
      },
    ),
  ),
]);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...floorRules,

    // The roots.
    rule('proto-stands-alone', { path: '^proto/' }, { path: '^(commands|src|server|tests)/' }),
    rule(
      'commands-on-proto',
      { path: '^commands/', pathNot: [TESTS, '^commands/cli/quarterdeck\\.mjs$'] },
      {
        path: '^(src|server|tests)/',
      },
    ),
    // The bin builds the command line, then runs it in its own process.
    rule(
      'bin-builds',
      { path: '^commands/cli/quarterdeck\\.mjs$' },
      {
        path: '^(commands|src|server|tests)/',
        pathNot: '^server/launch/',
      },
    ),
    rule('src-on-commands', { path: '^src/' }, { path: '^(server|tests|commands/cli)/' }),
    rule(
      'server-on-proto',
      { path: '^server/' },
      {
        path: '^(src|tests|commands)/',
        pathNot: '^commands/(text|units)/',
      },
    ),
    // The launcher builds and starts from outside. It shares the options with the server, which never imports it.
    rule(
      'launch-stands-apart',
      { path: '^server/launch/' },
      { path: '^server/', pathNot: '^server/(launch/|base/options\\.mjs$)' },
    ),
    // A new kind of publisher is a folder in targets, without changes to the engine.
    rule('engine-knows-no-target', { path: '^server/publishing/[^/]+$' }, { path: '^server/publishing/targets/' }),
    rule('ui-knows-no-product', { path: '^src/ui/' }, { path: '^(commands|proto)/', pathNot: '^commands/text/' }),
    rule('no-tests-in-production', { path: '^(commands|src|server|proto)/' }, { path: TESTS }),

    // Packages.
    rule('text-needs-nothing', { path: '^commands/text/' }, { path: '(^|/)node_modules/' }),
    rule(
      'commands-need-the-wire',
      { path: '^commands/', pathNot: [TESTS, '^commands/(cli|text|units|locales)/'] },
      {
        path: '(^|/)node_modules/',
        pathNot: [WIRE, 'node_modules/bowser/'],
      },
    ),
    rule(
      'units-need-decimals',
      { path: '^commands/units/' },
      {
        path: '(^|/)node_modules/',
        pathNot: 'node_modules/decimal\\.js/',
      },
    ),
    rule(
      'locales-need-i18next',
      { path: '^commands/locales/' },
      {
        path: '(^|/)node_modules/',
        pathNot: 'node_modules/i18next/',
      },
    ),
    rule(
      'react-in-src',
      { path: '^(commands|server|proto)/' },
      {
        path: 'node_modules/(react|react-dom|react-i18next|jotai|cmdk|radix-ui|@tanstack)/',
      },
    ),
    rule(
      'node-in-cli-and-server',
      { path: '^(src|commands|proto)/', pathNot: [TESTS, '^commands/cli/'] },
      {
        dependencyTypes: ['core'],
      },
    ),
    rule(
      'installed',
      { path: '^(commands|src|server|proto)/', pathNot: [TESTS, '^server/launch/'] },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    ),

    // Everywhere.
    { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(commands|src|server)/' },
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [TESTS, '\\.d\\.ts$', '^tests/', '^proto/gen/', '\\.css$', IMPORT_HELPER, HARNESS],
      },
      to: {},
    },
  ],
  options: {
    // Counts type-only imports, too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['node_modules', '^proto/gen/', TESTS] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
    skipAnalysisNotInRules: true,
    cache: false,
  },
};
