import { accessRequestNoun } from './access-request/noun.ts';
import { appNoun } from './app/noun.ts';
import { destinationsOf } from './core/destinations.ts';
import { createRegistry, type Noun } from './core/registry.ts';
import { deviceNoun } from './device/noun.ts';
import { invitationNoun } from './invitation/noun.ts';
import { mePages, meNoun } from './me/noun.ts';
import { organizationNoun } from './organization/noun.ts';
import { roleNoun } from './role/noun.ts';
import { signInNoun } from './sign-in/noun.ts';
import { supportNoun } from './support/noun.ts';
import { tagNoun } from './tag/noun.ts';
import { tokenNoun } from './token/noun.ts';
import { userNoun } from './user/noun.ts';
import { viewNoun } from './view/noun.ts';
import { supportSessionNoun } from './support-session/noun.ts';
import { webhookNoun } from './webhook/noun.ts';

/** One line per noun, in the order of the rail. */
const nouns: readonly Noun[] = [
  deviceNoun,
  tagNoun,
  webhookNoun,
  tokenNoun,
  userNoun,
  invitationNoun,
  accessRequestNoun,
  roleNoun,
  organizationNoun,
  supportSessionNoun,
  signInNoun,
];

const entities = nouns.flatMap(({ entity }) => entity ?? []);
const editable = nouns.flatMap(({ commands }) => commands.flatMap((of) => (of.verb === 'edit' ? of.noun : [])));
const pages = [...nouns.flatMap(({ pages: own }) => own ?? []), ...mePages];
const destinations = destinationsOf({ entities, pages });

/** Every command and entity of the product; what any surface shows or runs, it finds here. */
export const registry = createRegistry([
  ...nouns,
  meNoun(destinations),
  viewNoun(entities, editable),
  supportNoun,
  appNoun,
]);
