import { join } from 'node:path';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the benchmark page like the console, but with a single noun. The URL specifies its number of commands. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { './loaders.ts': join(import.meta.dirname, 'registry.ts') } },
  logLevel: 'warn',
  build: { outDir: '../../../dist/bench/palette', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  preview: { host: '127.0.0.1', port: 0, strictPort: false },
});
