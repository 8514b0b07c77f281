import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, runnerImport, type EnvironmentOptions, type Plugin, type Rolldown } from 'vite';

import { compactText } from './proto/compact/write.ts';
import { options } from './server/base/options.mjs';

// One configuration for three outputs: `console` (the page), and `server` and `cli` (for Node, without packages).
// `npm start` builds only outputs with changed sources (server/launch/build.mjs).

const compress = promisify(gzip);

/** Configures a bundle for Node that contains our own modules and imports packages from node_modules at run time. */
const nodeBundle = (outDir: string, input: Record<string, string>): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { external: true },
  build: {
    outDir,
    ssr: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    emptyOutDir: true,
    rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
  },
});

/**
 * Keeps the paths in server/base/paths.ts valid in the bundle. Copies the files to the same places as in the sources,
 * and renames TypeScript entries to JavaScript.
 */
const serverFiles: Plugin = {
  name: 'quarterdeck:server-files',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'server',
  transform(code, id) {
    if (!id.endsWith('/server/base/paths.ts')) return undefined;
    const inBundle = code.replace(/(const server = new URL\()[^,]+,/, "$1'./',");
    return { code: inBundle.replaceAll(/(new URL\(['"][^'"]+)\.ts(['"])/g, '$1.js$2'), map: null };
  },
  async writeBundle(output) {
    for (const path of ['db/migrations', 'db/drivers/pglite-worker.mjs', 'parsing/workers']) {
      await cp(`server/${path}`, `${output.dir}/${path}`, { recursive: true });
    }
  },
};

/**
 * `npm run dev` serves the console, and forwards calls and sign-ins with the embedded identity provider to the API
 * server. QUARTERDECK_API is the URL of that server, which can be any implementation of the contract. Requests arrive
 * with the server's own host name, so it needs no CORS.
 */
const proxyPaths = ['^/(hiber|quarterdeck)\\.', '^/(identitytoolkit|securetoken)\\.googleapis\\.com/', '^/emulator/'];
const target = process.env.QUARTERDECK_API ?? `http://127.0.0.1:${options.port.fallback}`;

/** Compresses the files once, instead of for each visitor. */
const compression: Plugin = {
  name: 'quarterdeck:compression',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir = '' }, bundle) {
    const textFiles = Object.keys(bundle).filter((name) => /\.(js|css|svg|json|html)$/.test(name));
    for (const name of textFiles) {
      const content = await readFile(join(dir, name));
      await writeFile(join(dir, `${name}.gz`), await compress(content, { level: 9 }));
    }
  },
};

const resolveSource = (path: string): string => fileURLToPath(new URL(path, import.meta.url)).replaceAll('\\', '/');
const descriptorReader = resolveSource('proto/compact/read.ts');

/**
 * Writes descriptors as text, which is half the size of the generated base64. This saves 17 KB before the first rows
 * appear, and another 5 KB for the descriptors in descriptor.proto, which are needed only to read base64.
 */
const compactDescriptors: Plugin = {
  name: 'quarterdeck:compact-descriptors',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  async resolveId(source, importer) {
    if (source !== '@bufbuild/protobuf' || importer !== descriptorReader) return undefined;
    // The library's index imports the library's own contract files, which import the reader. Its registry does not, so
    // importing only the registry avoids a cycle.
    const index = await this.resolve(source, importer, { skipSelf: true });
    return index && { ...index, id: index.id.replace(/index\.js$/, 'registry.js') };
  },
  transform(code, id) {
    const [, base64] = /_pb\.[jt]s$/.test(id) ? (/\bfileDesc\("([^"]+)"/.exec(code) ?? []) : [];
    if (base64 === undefined) return undefined;
    const file = fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, 'base64'));
    // Files in another syntax come only from the library, and the console does not use them.
    if (file.syntax !== 'proto3') return undefined;
    const compactCode = code.replace(`fileDesc("${base64}"`, () => `compactFile(${JSON.stringify(compactText(file))}`);
    return { code: `${compactCode}\nimport { compactFile } from ${JSON.stringify(descriptorReader)};\n`, map: null };
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/google/protobuf/descriptor_pb.js')))
        this.error(`${file.fileName} contains descriptor.proto: 5 KB that the console does not need.`);
    }
  },
};

/**
 * Removes Protobuf's JSON format from the rpc client: the console calls rpcs only in the binary format. This saves 5 KB
 * before the first rows appear. The commands that use the JSON format still import it.
 */
const binaryCalls: Plugin = {
  name: 'quarterdeck:binary-calls',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  transform(code, id) {
    if (!id.endsWith('/@connectrpc/connect/dist/esm/protocol/serialization.js')) return undefined;
    const imports = 'import { fromBinary, fromJsonString, toBinary, toJsonString, } from "@bufbuild/protobuf";';
    if (!code.includes(imports))
      this.error('serialization.js of @connectrpc/connect no longer has the import that this plugin replaces.');
    const binary = `import { fromBinary, toBinary } from "@bufbuild/protobuf";
const reject = () => { throw new Error("The console calls rpcs in the binary format."); };
const [fromJsonString, toJsonString] = [reject, reject];`;
    return { code: code.replace(imports, binary), map: null };
  },
};

/**
 * Replaces the noun manifest with its JSON, so the console does not load the nouns for it. The development server
 * evaluates the manifest again when one of the modules that it imports changes.
 */
const manifest: Plugin = {
  name: 'quarterdeck:manifest',
  applyToEnvironment: (environment) => environment.name === 'client',
  async load(id) {
    if (!id.endsWith('/commands/nouns/manifest.ts')) return undefined;
    const { module, dependencies } = await runnerImport<{ readonly manifest: unknown }>(id, {
      configFile: false,
      logLevel: 'warn',
    });
    for (const file of dependencies) this.addWatchFile(file);
    return `export const manifest = JSON.parse(${JSON.stringify(JSON.stringify(module.manifest))});`;
  },
};

/**
 * Replaces Vite's helper around each `import()`. With Vite's helper, Firefox cannot load a module again after a failure
 * until the page reloads.
 */
const importHelper: Plugin = {
  name: 'quarterdeck:import-helper',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  transform(_, id) {
    if (id !== '\0vite/preload-helper.js') return undefined;
    const helper = fileURLToPath(new URL('src/net/import-module.ts', import.meta.url));
    return { code: `export { importModule as __vitePreload } from ${JSON.stringify(helper)};\n`, map: null };
  },
};

const SIGN_IN = ['src/sign-in/frame/LoginLayout.tsx', 'src/sign-in/password/PasswordLogin.tsx'].map(resolveSource);
const CONSOLE = ['src/app/app.tsx', 'src/app/console-facts.ts'].map(resolveSource);

/** Returns the modules and all modules that they import directly or indirectly. */
function withImports(paths: readonly string[], context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const modules = new Set(paths);
  for (const path of modules) for (const id of context.getModuleInfo(path)?.importedIds ?? []) modules.add(id);
  return modules;
}

/** Returns the chunk for a module of the sign-in form: `frame` if the console imports it too, otherwise `sign-in`. */
function signInChunk(path: string, context: Rolldown.ChunkingContext): string | undefined {
  if (!withImports(SIGN_IN, context).has(path)) return undefined;
  return withImports(CONSOLE, context).has(path) ? 'frame' : 'sign-in';
}

/** Returns the chunk for a noun's module, such as `webhook` for `commands/nouns/integrations/webhook/state.ts`. */
const nounChunk = (path: string): string => path.split(/[\\/]/).at(-2) ?? '';

export default defineConfig({
  plugins: [react(), tailwindcss(), manifest, serverFiles, compactDescriptors, binaryCalls, importHelper, compression],
  publicDir: false,
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(proxyPaths.map((path) => [path, { target, changeOrigin: true }])),
  },
  environments: {
    client: {
      build: {
        outDir: 'dist/console',
        emptyOutDir: true,
        sourcemap: true,
        modulePreload: {
          // The content security policy allows no inline scripts.
          polyfill: false,
          // The import helper downloads the listed files. Vite lists none for modules without dependencies.
          resolveDependencies: (file, imported, { hostType }) =>
            hostType === 'js' && imported.length === 0 ? [file] : imported,
        },
        // The content security policy allows no fonts in `data:` URLs.
        assetsInlineLimit: 0,
        target: 'es2023',
        // Modules that always load together form one chunk. By default, each set of entry points that shares modules
        // gets its own chunk. This reduces the number of requests and improves compression. Each group includes the
        // imports of its modules, unless an earlier group includes them.
        rolldownOptions: {
          // An entity loads alone for the first screen, but nouns also import it statically.
          checks: { ineffectiveDynamicImport: false },
          output: {
            // Hashes are short because they don't compress, and each file with dynamic imports contains many of them.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                // The modules that index.html loads.
                { name: 'start', tags: ['$initial'] },
                // Only commands use the JSON format, but the library's index imports it. The format imports Struct.
                { name: 'struct', test: /[\\/]google[\\/]protobuf[\\/]struct_pb\.js$/ },
                { name: 'json-format', test: /[\\/]protobuf[\\/]dist[\\/]esm[\\/](from|to)-json\.js$/ },
                // The sign-in form, and the modules that it shares with the console.
                { name: signInChunk, debugName: 'sign-in' },
                // Loads before the console, so the first screen's entity loads in parallel with it.
                { name: 'loaders', test: /[\\/]src[\\/]registry[\\/]loaders\.ts$/ },
                // Everything behind sign-in that every first screen needs.
                { name: 'console', test: /[\\/]src[\\/]app[\\/](app\.tsx|console-facts\.ts)$/ },
                // Most people's first screen.
                { name: 'devices', test: /[\\/]commands[\\/]nouns[\\/]fleet[\\/]device[\\/]entity\.ts$/ },
                // The filter language, and the line that edits a filter. Most first screens show a list without one.
                { name: 'filter', test: /[\\/]src[\\/](filter[\\/]OpenFilterLine\.tsx|registry[\\/]parser\.ts)$/ },
                // The modules that run commands, and the modules that their declarations share.
                {
                  name: 'commands',
                  test: /[\\/](src[\\/]run[\\/]running\.ts|commands[\\/](?!nouns|locales|cli|units)[\w-]+[\\/].+)$/,
                },
                // The parts that load in the background after every first screen.
                {
                  name: 'background',
                  test: /[\\/]src[\\/](shell[\\/](Overlays|AccountMenu|ToastList)|form[\\/]CommandForm|panel[\\/]ItemPanel|ui[\\/]overlays[\\/]TooltipLayer|data[\\/]live)\.tsx?$/,
                },
                // Events import the messages of values, but not the library that converts values.
                { name: 'values', test: /[\\/]proto[\\/]gen[\\/]hiber[\\/](value|field|unit)_pb\.ts$/ },
                { name: 'units', test: /[\\/]commands[\\/]units[\\/]/ },
                // The YAML parser, which only the bench and the plans of definitions need.
                { name: 'yaml', test: /[\\/]nouns[\\/]data[\\/]parser[\\/](outline|yaml)\.ts$/ },
                { name: nounChunk, debugName: 'nouns', test: /[\\/]commands[\\/]nouns[\\/].+\.ts$/ },
              ],
            },
          },
        },
      },
    },
    server: nodeBundle('dist/server', {
      main: 'server/start/main.ts',
      'demo/identity/provider-process': 'server/demo/identity/provider-process.ts',
      'start/creation-process': 'server/start/creation-process.ts',
    }),
    cli: nodeBundle('dist/cli', { quarterdeck: 'commands/cli/main.ts' }),
  },
});
