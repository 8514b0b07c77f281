import { expect, test } from 'vitest';

import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import { registry } from '#commands/nouns/all.ts';

import { reference } from './reference.ts';
import * as resources from './strings.ts';

test('matches docs/commands.md', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  await expect(reference(registry, translate)).toMatchFileSnapshot('../../docs/commands.md');
});
