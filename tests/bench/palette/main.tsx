// The page measured by palette.bench.ts: ?subject=palette|empty&items=10000. F8 opens it, letters search, Escape
// closes.
import { Provider } from 'jotai';
import { createRoot } from 'react-dom/client';

import { i18n } from '#src/i18n/i18n.ts';
import { Palette } from '#src/palette/Palette.tsx';
import { loadAll } from '#src/registry/registry.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import '#src/styles/index.css';
import { installProbe } from '#tests/bench/table/probe.ts';

import { titles } from './registry.ts';

const OPEN = 'F8';

function startPalette(root: HTMLElement): void {
  const verbs = Object.fromEntries(titles.map((title, index) => [`run-${index}`, { title }]));
  i18n.addResourceBundle('en', 'bench', { commands: verbs });
  store.set(userSessionAtom, testSession());
  window.addEventListener('keydown', (event) => {
    if (event.key === OPEN) store.set(paletteAtom, { open: true, start: undefined });
  });
  createRoot(root).render(
    <Provider store={store}>
      <Palette />
    </Provider>,
  );
}

/** Starts the baseline: a dialog with a field and a word that changes with each key. */
function startEmpty(root: HTMLElement): void {
  root.innerHTML = '<dialog><input /><output></output></dialog>';
  const dialog = root.firstElementChild as HTMLDialogElement;
  const [input, word] = [...dialog.children] as [HTMLInputElement, HTMLElement];
  input.addEventListener('input', () => (word.textContent = input.value));
  window.addEventListener('keydown', (event) => {
    if (event.key !== OPEN) return;
    input.value = '';
    dialog.showModal();
  });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
installProbe();
await Promise.all([document.fonts.ready, loadAll()]);
if (new URLSearchParams(location.search).get('subject') === 'empty') startEmpty(root);
else startPalette(root);
document.body.dataset.ready = '';
