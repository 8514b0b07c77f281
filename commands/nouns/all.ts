import { destinationsOf } from '#commands/registry/destinations.ts';
import { createRegistry, type Noun } from '#commands/registry/registry.ts';

import { appNoun } from './console/app/noun.ts';
import { viewNoun } from './console/view/noun.ts';
import { deviceNoun } from './fleet/device/noun.ts';
import { tagNoun } from './fleet/tag/noun.ts';
import { tokenNoun } from './integrations/token/noun.ts';
import { webhookNoun } from './integrations/webhook/noun.ts';
import { accessRequestNoun } from './people/access-request/noun.ts';
import { invitationNoun } from './people/invitation/noun.ts';
import { organizationNoun } from './people/organization/noun.ts';
import { roleNoun } from './people/role/noun.ts';
import { signInNoun } from './people/sign-in/noun.ts';
import { supportSessionNoun } from './people/support-session/noun.ts';
import { supportNoun } from './people/support/noun.ts';
import { userNoun } from './people/user/noun.ts';
import { mePages, meNoun } from './self/me/noun.ts';

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
const editable = nouns.flatMap(({ commands }) =>
  commands.flatMap((command) => (command.verb === 'edit' ? command.noun : [])),
);
const pages = [...nouns.flatMap(({ pages: own }) => own ?? []), ...mePages];
const destinations = destinationsOf({ entities, pages });

/** Every command and entity of the product, shared by all surfaces. */
export const registry = createRegistry([
  ...nouns,
  meNoun(destinations),
  viewNoun(entities, editable),
  supportNoun,
  appNoun,
]);
