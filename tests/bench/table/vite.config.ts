import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Builds the benchmark page like the console, but separately. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  logLevel: 'warn',
  build: { outDir: '../../../dist/bench/table', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0 },
  preview: { host: '127.0.0.1', port: 0, strictPort: false },
});
