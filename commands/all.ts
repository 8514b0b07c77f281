import { appNoun } from './app/noun.ts';
import { createRegistry, type Noun } from './core/registry.ts';
import { deviceNoun } from './device/noun.ts';
import { meNoun } from './me/noun.ts';
import { organizationNoun } from './organization/noun.ts';
import { supportNoun } from './support/noun.ts';
import { tagNoun } from './tag/noun.ts';
import { tokenNoun } from './token/noun.ts';
import { viewNoun } from './view/noun.ts';
import { visitNoun } from './visit/noun.ts';
import { webhookNoun } from './webhook/noun.ts';

/** One line per noun, in the order of the rail. */
const nouns: readonly Noun[] = [deviceNoun, tagNoun, webhookNoun, tokenNoun, organizationNoun, visitNoun];

const entities = nouns.flatMap(({ entity }) => entity ?? []);

/** Every command and entity of the product; what any surface shows or runs, it finds here. */
export const registry = createRegistry([...nouns, meNoun(entities), viewNoun(entities), supportNoun, appNoun]);
