import { command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { p, required } from '#commands/model/params.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { message } from '#commands/text/message.ts';

import { go } from './go.ts';
import { keys } from './keys.ts';
import { submitForm } from './submit-form.ts';
import { work } from './work.ts';

const palette = command({
  id: 'app.palette',
  effect: 'navigate',
  needs: ['palette'],
  keys: ['$mod+k', ':'],
  unlisted: true,
  params: { search: p.text() },
  positional: ['search'],
  run: async (context, { search }) => {
    requireCapability(context, 'palette').open(search === undefined ? undefined : { prefix: search });
    return {};
  },
});

/** Opens the palette with the commands that apply to the selection. */
const actions = command({
  id: 'app.actions',
  effect: 'navigate',
  needs: ['palette'],
  keys: ['a'],
  onTarget: true,
  unlisted: true,
  run: async (context) => {
    requireCapability(context, 'palette').open({ actions: true });
    return {};
  },
});

const help = command({
  id: 'app.help',
  effect: 'navigate',
  needs: ['help'],
  keys: ['?'],
  run: async (context) => {
    requireCapability(context, 'help').open();
    return {};
  },
});

const theme = command({
  id: 'app.theme',
  effect: 'navigate',
  needs: ['settings'],
  params: {
    theme: required(p.choice(['light', 'dark', 'system'], { label: (name) => message(`app:theme.${name}`) })),
  },
  positional: ['theme'],
  initial: async (context) => ({ values: { theme: requireCapability(context, 'settings').get().theme } }),
  run: async (context, { theme: value }) => {
    requireCapability(context, 'settings').set({ theme: value });
    return {};
  },
});

const language = command({
  id: 'app.language',
  effect: 'navigate',
  needs: ['settings'],
  params: { language: required(p.choice(['en', 'nl'], { label: (name) => message(`app:language.${name}`) })) },
  positional: ['language'],
  initial: async (context) => ({ values: { language: requireCapability(context, 'settings').get().language } }),
  run: async (context, { language: value }) => {
    requireCapability(context, 'settings').set({ language: value });
    return {};
  },
});

const density = command({
  id: 'app.density',
  effect: 'navigate',
  needs: ['settings'],
  params: {
    density: required(p.choice(['compact', 'comfortable'], { label: (name) => message(`app:density.${name}`) })),
  },
  positional: ['density'],
  initial: async (context) => ({ values: { density: requireCapability(context, 'settings').get().density } }),
  run: async (context, { density: value }) => {
    requireCapability(context, 'settings').set({ density: value });
    return {};
  },
});

const rail = command({
  id: 'app.toggle-rail',
  effect: 'navigate',
  needs: ['rail'],
  keys: ['b'],
  run: async (context) => {
    requireCapability(context, 'rail').toggle();
    return {};
  },
});

/**
 * Turns single-key shortcuts on or off because they can interfere with speech input (WCAG 2.1.4). `$mod` shortcuts
 * always work.
 */
const singleKeys = command({
  id: 'app.single-keys',
  effect: 'read',
  needs: ['settings'],
  params: { on: required(p.flag()) },
  initial: async (context) => ({ values: { on: requireCapability(context, 'settings').get().singleKeys } }),
  run: async (context, { on }) => {
    requireCapability(context, 'settings').set({ singleKeys: on });
    return { message: message(on ? 'app:done.singleKeysOn' : 'app:done.singleKeysOff') };
  },
});

export const noun: Noun = {
  commands: [palette, actions, help, go, theme, language, density, rail, singleKeys, submitForm, ...keys, ...work],
};
