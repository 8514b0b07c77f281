import { expect, test } from 'vitest';

import { createTranslator, hasText, labelKey, translateWith } from '#commands/locales/i18n.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Message } from '#commands/text/message.ts';

import { reference } from './reference.ts';
import * as resources from './strings.ts';

test('matches docs/commands.md', async () => {
  const english = await createTranslator('en', resources);
  const translateExisting = translateWith(english);
  const translate = (text: Message): string => {
    // A raw key would otherwise become part of the document.
    if (!hasText(english, text.key)) throw new Error(`${labelKey(text.key)} has no text. Add it to en.json.`);
    return translateExisting(text);
  };
  await expect(reference(registry, translate)).toMatchFileSnapshot('../../docs/commands.md');
});
