import { join } from 'node:path';

import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The bench page, built like the console but separately; its only noun has the number of commands given in the URL. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { './loaders.ts': join(import.meta.dirname, 'registry.ts') } },
  logLevel: 'warn',
  build: { outDir: '../../../dist/bench/palette', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  preview: { host: '127.0.0.1', port: 0, strictPort: false },
});
