import { createRegistry, type Noun } from '#commands/registry/registry.ts';

import { noun as app } from './console/app/noun.ts';
import { noun as chart } from './console/chart/noun.ts';
import { noun as help } from './console/help/noun.ts';
import { noun as parserBench } from './console/parser-bench/noun.ts';
import { noun as timeline } from './console/timeline/noun.ts';
import { noun as view } from './console/view/noun.ts';
import { noun as field } from './data/field/noun.ts';
import { noun as parser } from './data/parser/noun.ts';
import { noun as value } from './data/value/noun.ts';
import { noun as device } from './fleet/device/noun.ts';
import { noun as processPoint } from './fleet/process-point/noun.ts';
import { noun as tag } from './fleet/tag/noun.ts';
import { noun as token } from './integrations/token/noun.ts';
import { noun as webhook } from './integrations/webhook/noun.ts';
import { noun as accessRequest } from './people/access-request/noun.ts';
import { noun as invitation } from './people/invitation/noun.ts';
import { noun as organization } from './people/organization/noun.ts';
import { noun as role } from './people/role/noun.ts';
import { noun as signIn } from './people/sign-in/noun.ts';
import { noun as supportSession } from './people/support-session/noun.ts';
import { noun as support } from './people/support/noun.ts';
import { noun as user } from './people/user/noun.ts';
import { noun as me } from './self/me/noun.ts';

/** All nouns by folder name, in rail order. */
export const nouns: Readonly<Record<string, Noun>> = {
  device,
  'process-point': processPoint,
  tag,
  value,
  webhook,
  token,
  parser,
  field,
  user,
  invitation,
  'access-request': accessRequest,
  role,
  organization,
  'support-session': supportSession,
  'sign-in': signIn,
  me,
  view,
  timeline,
  chart,
  'parser-bench': parserBench,
  support,
  help,
  app,
};

/** All commands and entities, for surfaces that load everything: the terminal and tests. */
export const registry = createRegistry(Object.values(nouns));
