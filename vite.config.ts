import { cp } from 'node:fs/promises';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';

// One configuration for three outputs: `console` (the page), `server` and `cli` (for Node, packages left outside).
// `npm start` builds only those whose sources changed: server/launch/build.mjs.

/** A bundle for Node: our own modules inside, everything from node_modules imported at run time. */
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
    rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
  },
});

/** The server reads its SQL migrations from the folder beside its bundle. */
const migrations: Plugin = {
  name: 'quarterdeck:migrations',
  applyToEnvironment: (environment) => environment.name === 'server',
  async writeBundle(output) {
    await cp('server/db/migrations', `${output.dir}/migrations`, { recursive: true });
  },
};

const api = { target: process.env.QUARTERDECK_API ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  plugins: [react(), tailwindcss(), migrations],
  publicDir: false,
  // What `npm run dev` serves itself is the console; rpcs and the embedded identity provider are the API server's.
  server: { host: '127.0.0.1', proxy: { '^/(hiber|quarterdeck)\\.': api, '^/identity/': api } },
  environments: {
    client: {
      build: {
        outDir: 'dist/console',
        emptyOutDir: true,
        sourcemap: true,
        // The content security policy allows neither inline scripts nor data: fonts.
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        target: 'es2023',
      },
    },
    server: nodeBundle('dist/server', { main: 'server/main.ts' }),
    cli: nodeBundle('dist/cli', { quarterdeck: 'commands/cli/main.ts' }),
  },
});
