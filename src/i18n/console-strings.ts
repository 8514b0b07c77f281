import { nounOf } from '#commands/locales/i18n.ts';
import { sharedStrings, type ScreenTitles } from '#commands/locales/shared.ts';

/** The titles of each noun's screens, in every language. The rail shows them before other strings load. */
const titles = import.meta.glob<ScreenTitles>('/commands/nouns/*/*/screen.json', { eager: true, import: 'default' });

/** The strings that every screen behind sign-in needs, keyed by language and namespace. */
export const consoleStrings = sharedStrings(Object.entries(titles).map(([path, screen]) => [nounOf(path), screen]));
