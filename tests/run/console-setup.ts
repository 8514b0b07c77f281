import { cleanup, configure } from '@testing-library/react';
import { vi } from 'vitest';

// Each test file gets new instances of our modules and an empty document, so no state leaks into the next file.
// Packages load only once.
vi.resetModules();
if (typeof document !== 'undefined') {
  cleanup();
  document.body.replaceChildren();
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
    { default: running },
    { default: help },
  ] = await Promise.all([
    import('#src/i18n/i18n.ts'),
    import('#src/i18n/console-strings.ts'),
    import('#commands/locales/en/later/common.json'),
    import('#commands/locales/en/later/core.json'),
    import('#commands/locales/en/running.json'),
    import('#commands/nouns/console/help/en.json'),
  ]);
  addStrings(consoleStrings);
  addStrings({ en: { common, core, running, help } });
}
