import cli from '#commands/locales/en/cli.json' with { type: 'json' };
import event from '#commands/locales/en/event.json' with { type: 'json' };
import { firstTexts } from '#commands/locales/first.ts';

import app from './console/app/en.json' with { type: 'json' };
import view from './console/view/en.json' with { type: 'json' };
import device from './fleet/device/en.json' with { type: 'json' };
import deviceScreen from './fleet/device/screen.json' with { type: 'json' };
import tag from './fleet/tag/en.json' with { type: 'json' };
import tagScreen from './fleet/tag/screen.json' with { type: 'json' };
import token from './integrations/token/en.json' with { type: 'json' };
import tokenScreen from './integrations/token/screen.json' with { type: 'json' };
import webhook from './integrations/webhook/en.json' with { type: 'json' };
import webhookScreen from './integrations/webhook/screen.json' with { type: 'json' };
import accessRequest from './people/access-request/en.json' with { type: 'json' };
import accessRequestScreen from './people/access-request/screen.json' with { type: 'json' };
import invitation from './people/invitation/en.json' with { type: 'json' };
import invitationScreen from './people/invitation/screen.json' with { type: 'json' };
import organization from './people/organization/en.json' with { type: 'json' };
import organizationScreen from './people/organization/screen.json' with { type: 'json' };
import role from './people/role/en.json' with { type: 'json' };
import roleScreen from './people/role/screen.json' with { type: 'json' };
import signIn from './people/sign-in/en.json' with { type: 'json' };
import signInScreen from './people/sign-in/screen.json' with { type: 'json' };
import supportSession from './people/support-session/en.json' with { type: 'json' };
import supportSessionScreen from './people/support-session/screen.json' with { type: 'json' };
import support from './people/support/en.json' with { type: 'json' };
import user from './people/user/en.json' with { type: 'json' };
import userScreen from './people/user/screen.json' with { type: 'json' };
import me from './self/me/en.json' with { type: 'json' };
import meScreen from './self/me/screen.json' with { type: 'json' };

const first = firstTexts([
  ['access-request', accessRequestScreen],
  ['device', deviceScreen],
  ['invitation', invitationScreen],
  ['me', meScreen],
  ['organization', organizationScreen],
  ['role', roleScreen],
  ['sign-in', signInScreen],
  ['support-session', supportSessionScreen],
  ['tag', tagScreen],
  ['token', tokenScreen],
  ['user', userScreen],
  ['webhook', webhookScreen],
]);

/** One namespace per noun, and `event` for the contract's event types. `core:cli` is for the terminal only. */
export const en = {
  ...first.en,
  core: { ...first.en.core, cli },
  event,
  'access-request': accessRequest,
  app,
  device,
  invitation,
  me,
  organization,
  role,
  'sign-in': signIn,
  'support-session': supportSession,
  support,
  tag,
  token,
  user,
  view,
  webhook,
};

export const nl = first.nl;
