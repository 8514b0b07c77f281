import accessRequest from './en/access-request.json' with { type: 'json' };
import app from './en/app.json' with { type: 'json' };
import common from './en/common.json' with { type: 'json' };
import core from './en/core.json' with { type: 'json' };
import device from './en/device.json' with { type: 'json' };
import event from './en/event.json' with { type: 'json' };
import invitation from './en/invitation.json' with { type: 'json' };
import me from './en/me.json' with { type: 'json' };
import organization from './en/organization.json' with { type: 'json' };
import role from './en/role.json' with { type: 'json' };
import signIn from './en/sign-in.json' with { type: 'json' };
import support from './en/support.json' with { type: 'json' };
import tag from './en/tag.json' with { type: 'json' };
import token from './en/token.json' with { type: 'json' };
import user from './en/user.json' with { type: 'json' };
import view from './en/view.json' with { type: 'json' };
import visit from './en/visit.json' with { type: 'json' };
import webhook from './en/webhook.json' with { type: 'json' };
import accessRequestNl from './nl/access-request.json' with { type: 'json' };
import deviceNl from './nl/device.json' with { type: 'json' };
import invitationNl from './nl/invitation.json' with { type: 'json' };
import organizationNl from './nl/organization.json' with { type: 'json' };
import roleNl from './nl/role.json' with { type: 'json' };
import signInNl from './nl/sign-in.json' with { type: 'json' };
import tagNl from './nl/tag.json' with { type: 'json' };
import tokenNl from './nl/token.json' with { type: 'json' };
import userNl from './nl/user.json' with { type: 'json' };
import webhookNl from './nl/webhook.json' with { type: 'json' };

/** One namespace for each noun, besides `core` (what the machinery says), `common` (what nouns share) and `event` (the contract's event types). */
export const en = {
  'access-request': accessRequest,
  app,
  common,
  core,
  device,
  event,
  invitation,
  me,
  organization,
  role,
  'sign-in': signIn,
  support,
  tag,
  token,
  user,
  view,
  visit,
  webhook,
};

/** Names of screens; everything else falls back to English. */
export const nl = {
  'access-request': accessRequestNl,
  device: deviceNl,
  invitation: invitationNl,
  organization: organizationNl,
  role: roleNl,
  'sign-in': signInNl,
  tag: tagNl,
  token: tokenNl,
  user: userNl,
  webhook: webhookNl,
};
