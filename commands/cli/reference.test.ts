import { expect, test } from 'vitest';

import { createTranslator, hasText, labelKey, translateWith } from '#commands/locales/i18n.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Message } from '#commands/text/message.ts';

import { reference } from './reference.ts';
import * as resources from './strings.ts';

test('matches docs/commands.md', async () => {
  const english = await createTranslator('en', resources);
  const translateMessage = translateWith(english);
  const translate = (message: Message): string => {
    // Otherwise, the document would contain the raw key.
    if (!hasText(english, message.key))
      throw new Error(`Missing text for ${labelKey(message.key)}. Add one to en.json.`);
    return translateMessage(message);
  };
  await expect(reference(registry, translate)).toMatchFileSnapshot('../../docs/commands.md');
});
