import cli from '#commands/locales/en/cli.json' with { type: 'json' };
import event from '#commands/locales/en/event.json' with { type: 'json' };
import running from '#commands/locales/en/running.json' with { type: 'json' };
import { firstTexts, type ScreenTitles } from '#commands/locales/first.ts';
import { nounOf } from '#commands/locales/i18n.ts';

const texts = import.meta.glob<object>('../nouns/*/*/en.json', { eager: true, import: 'default' });
const titles = import.meta.glob<ScreenTitles>('../nouns/*/*/screen.json', { eager: true, import: 'default' });

function byNoun<T>(files: Readonly<Record<string, T>>): readonly (readonly [noun: string, content: T])[] {
  return Object.entries(files).map(([path, content]) => [nounOf(path), content]);
}

const first = firstTexts(byNoun(titles));

/**
 * One namespace per noun, `event` for the contract's event types, and `running` for running commands. `core:cli` is for
 * the terminal only.
 */
export const en = {
  ...first.en,
  core: { ...first.en.core, cli },
  event,
  running,
  ...Object.fromEntries(byNoun(texts)),
};

export const nl = first.nl;
