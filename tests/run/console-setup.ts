import { cleanup, configure } from '@testing-library/react';
import { afterAll, vi } from 'vitest';

declare global {
  /** Removes the listeners that the files so far have left on the page, which they share. */
  var leftListeners: (() => void)[] | undefined;
}

// Each test file gets new instances of our modules and an empty document, so no state leaks into the next file.
// Packages load only once.
vi.useRealTimers();
vi.resetModules();
if (typeof document !== 'undefined') {
  cleanup();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  dropListeners();
}

// An import that a test left behind could otherwise load modules for the next file before its mocks are in place.
afterAll(() => vi.dynamicImportSettled());

/** The events that the console listens for on the page. React and the testing library keep their listeners for others. */
const LISTENED_EVENTS = new Set(['keydown', 'keyup', 'beforeinput', 'input', 'paste']);

/** Removes the listeners that the last file left on the page. */
function dropListeners(): void {
  globalThis.leftListeners ??= noteListeners();
  for (const remove of globalThis.leftListeners.splice(0)) remove();
}

function noteListeners(): (() => void)[] {
  const removals: (() => void)[] = [];
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (type: string, listener: EventListener, options?: AddEventListenerOptions) => {
      add(type, listener, options);
      if (LISTENED_EVENTS.has(type)) removals.push(() => target.removeEventListener(type, listener, options));
    };
  }
  return removals;
}

// Long enough that only a missing element fails, because a busy machine can exceed the default of one second.
configure({ asyncUtilTimeout: 20_000 });

// Adds the translations that the console loads after sign-in and when the first layers open. A few files run without a
// DOM.
if (typeof window !== 'undefined') {
  const [
    { addStrings },
    { consoleStrings },
    { default: common },
    { default: core },
    { default: consoleLater },
    { default: running },
    { default: help },
  ] = await Promise.all([
    import('#src/i18n/i18n.ts'),
    import('#src/i18n/console-strings.ts'),
    import('#commands/locales/en/later/common.json'),
    import('#commands/locales/en/later/core.json'),
    import('#src/locales/en/later/console.json'),
    import('#commands/locales/en/running.json'),
    import('#commands/nouns/console/help/en.json'),
  ]);
  addStrings(consoleStrings);
  addStrings({ en: { common, core, console: consoleLater, running, help } });
}
