import accessRequest from './en/access-request.json' with { type: 'json' };
import app from './en/app.json' with { type: 'json' };
import device from './en/device.json' with { type: 'json' };
import event from './en/event.json' with { type: 'json' };
import invitation from './en/invitation.json' with { type: 'json' };
import me from './en/me.json' with { type: 'json' };
import organization from './en/organization.json' with { type: 'json' };
import role from './en/role.json' with { type: 'json' };
import signIn from './en/sign-in.json' with { type: 'json' };
import supportSession from './en/support-session.json' with { type: 'json' };
import support from './en/support.json' with { type: 'json' };
import tag from './en/tag.json' with { type: 'json' };
import token from './en/token.json' with { type: 'json' };
import user from './en/user.json' with { type: 'json' };
import view from './en/view.json' with { type: 'json' };
import webhook from './en/webhook.json' with { type: 'json' };
import { first } from './first.ts';

/** One namespace for each noun, and `event` for the contract's event types. */
export const en = {
  ...first.en,
  'access-request': accessRequest,
  app,
  device,
  event,
  invitation,
  me,
  organization,
  role,
  'sign-in': signIn,
  support,
  'support-session': supportSession,
  tag,
  token,
  user,
  view,
  webhook,
};

export const nl = first.nl;
