import cli from '#commands/locales/en/cli.json' with { type: 'json' };
import event from '#commands/locales/en/event.json' with { type: 'json' };
import laterCommon from '#commands/locales/en/later/common.json' with { type: 'json' };
import laterCore from '#commands/locales/en/later/core.json' with { type: 'json' };
import running from '#commands/locales/en/running.json' with { type: 'json' };
import { nounOf } from '#commands/locales/i18n.ts';
import { sharedStrings, type ScreenTitles } from '#commands/locales/shared.ts';

const strings = import.meta.glob<object>('../nouns/*/*/en.json', { eager: true, import: 'default' });
const titles = import.meta.glob<ScreenTitles>('../nouns/*/*/screen.json', { eager: true, import: 'default' });

function byNoun<T>(files: Readonly<Record<string, T>>): readonly (readonly [noun: string, content: T])[] {
  return Object.entries(files).map(([path, content]) => [nounOf(path), content]);
}

const shared = sharedStrings(byNoun(titles));

/**
 * The English strings, with one namespace per noun, `event` for the contract's event types, and `running` for running
 * commands. Only the terminal uses `core:cli`.
 */
export const en = {
  ...shared.en,
  common: { ...shared.en.common, ...laterCommon },
  core: { ...shared.en.core, ...laterCore, cli },
  event,
  running,
  ...Object.fromEntries(byNoun(strings)),
};

export const nl = shared.nl;
