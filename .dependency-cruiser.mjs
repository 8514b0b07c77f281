// Defines which imports are allowed. Layers are listed from the top: a file may import from its own layer and those
// below. `npm run check` enforces the rules; tests/structure/layers.test.ts verifies that forbidden imports are
// reported.

/** Tests and their helpers may import anything. */
const TESTS = '\\.(test|spec)\\.tsx?$|(^|/)testkit/';

/** Imported only by the build, which substitutes it for Vite's helper (vite.config.ts). */
const IMPORT_HELPER = '^src/net/import-module\\.ts$';

const LAYERS = {
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
    'chart',
    'form',
    'table',
    'run',
    'search',
    'address',
    'session',
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

/** Run in the sandbox, which receives them as text. */
const SANDBOXED = '^server/parsing/workers/(decoding|harness)\\.mjs$';

/** Files that belong to no layer. */
const OUTSIDE_LAYERS = '^(commands/platform\\.d\\.ts|server/main\\.ts)$';

/** The packages that implement the wire protocol. Apart from these, commands use only bowser, which names browsers. */
const WIRE = 'node_modules/(@bufbuild/protobuf|@connectrpc/connect)/';

const rule = (name, from, to) => ({ name, severity: 'error', from: { pathNot: TESTS, ...from }, to });

const layerRules = Object.entries(LAYERS).flatMap(([root, layers]) => [
  rule(
    `${root}-has-layers`,
    { path: `^${root}/`, pathNot: [TESTS, `^${root}/(${layers.join('|')})/`, OUTSIDE_LAYERS] },
    {},
  ),
  ...layers.slice(1).map((layer, index) =>
    rule(
      `${root}-${layer}-below`,
      { path: `^${root}/${layer}/` },
      {
        path: `^${root}/(${layers.slice(0, index + 1).join('|')})/`,
      },
    ),
  ),
]);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,

    // Top-level folders.
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
    // The launcher builds and starts the server as a separate process. The two share only the options.
    rule(
      'launch-stands-apart',
      { path: '^server/launch/' },
      { path: '^server/', pathNot: '^server/(launch/|base/options\\.mjs$)' },
    ),
    // Adding a kind of publisher means adding a folder to `targets`, without changing the engine.
    rule(
      'engine-independent-of-targets',
      { path: '^server/publishing/[^/]+$' },
      { path: '^server/publishing/targets/' },
    ),
    rule('ui-independent-of-domain', { path: '^src/ui/' }, { path: '^(commands|proto)/', pathNot: '^commands/text/' }),
    rule('no-tests-in-production', { path: '^(commands|src|server|proto)/' }, { path: TESTS }),

    // Packages.
    rule('text-without-packages', { path: '^commands/text/' }, { path: '(^|/)node_modules/' }),
    rule(
      'commands-only-wire-packages',
      { path: '^commands/', pathNot: [TESTS, '^commands/(cli|text|units|locales)/'] },
      {
        path: '(^|/)node_modules/',
        pathNot: [WIRE, 'node_modules/(bowser|diff|yaml)/'],
      },
    ),
    // The definition of a parser is YAML, and is compared line by line. The console loads the packages with the bench.
    rule(
      'yaml-only-in-parsers',
      { path: '^(commands|src)/', pathNot: '^(commands/nouns/data/parser|src/screens/parser-bench)/' },
      { path: 'node_modules/(diff|yaml)/' },
    ),
    rule(
      'units-only-decimal',
      { path: '^commands/units/' },
      {
        path: '(^|/)node_modules/',
        pathNot: 'node_modules/decimal\\.js/',
      },
    ),
    rule(
      'locales-only-i18next',
      { path: '^commands/locales/' },
      {
        path: '(^|/)node_modules/',
        pathNot: 'node_modules/i18next/',
      },
    ),
    rule(
      'react-only-in-src',
      { path: '^(commands|server|proto)/' },
      {
        path: 'node_modules/(react|react-dom|react-i18next|jotai|cmdk|radix-ui|@tanstack)/',
      },
    ),
    rule(
      'node-only-in-cli-and-server',
      { path: '^(src|commands|proto)/', pathNot: [TESTS, '^commands/cli/'] },
      {
        dependencyTypes: ['core'],
      },
    ),
    rule(
      'installed-packages',
      { path: '^(commands|src|server|proto)/', pathNot: [TESTS, '^server/launch/'] },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only'],
      },
    ),

    // Everywhere.
    { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-folder-cycle',
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
        pathNot: [TESTS, '\\.d\\.ts$', '^tests/', '^proto/gen/', '\\.css$', IMPORT_HELPER, SANDBOXED],
      },
      to: {},
    },
  ],
  options: {
    // Include type-only imports.
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
