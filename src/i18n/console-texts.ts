import { nounOf } from '#commands/locales/i18n.ts';
import { sharedTexts, type ScreenTitles } from '#commands/locales/shared.ts';

/** The titles of each noun's screens, in every language. The rail shows them before other texts load. */
const titles = import.meta.glob<ScreenTitles>('/commands/nouns/*/*/screen.json', { eager: true, import: 'default' });

/** The texts that every screen behind sign-in needs, keyed by language and namespace. */
export const consoleTexts = sharedTexts(Object.entries(titles).map(([path, screen]) => [nounOf(path), screen]));
