import type { DescMethod, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { rpcName } from './policy.ts';

/** What a call does to the organization that it acts in. */
export type Effect =
  /** Nothing. */
  | 'read'
  /** It would change something there. */
  | 'change'
  /** It concerns the caller, wherever they act. */
  | 'own';

/** Names that the contract gives to rpcs which only tell something. Whatever is not among them changes something. */
const readerNames =
  /^(?:List|Get|For|Test|Validate)[A-Z]|^(?:List|Get|History|Stream|Tree|View|Info|Members|Activity|Lifecycles|Settings|Messages|Grouped|Count|TagCount|Health|HealthCount|ModemHealth|Latest|Downsampled|TileMap|LocationHistory|AvailableFields|CurrentUser|AccessibleOrganizations)$|Assignments$/;

const exceptions: Readonly<Record<string, Effect>> = {
  // Applies a parser and stores nothing.
  'hiber.modem.message.bodyparser.ModemMessageBodyParserService.Test': 'read',
  // Signs the caller in at the support desk.
  'hiber.sso.SingleSignOnService.Zendesk': 'own',
  // Roles that the caller tries out, and nobody else.
  'hiber.role.RoleService.Override': 'own',
  'hiber.role.RoleService.Restore': 'own',
};

const aboutTheCaller: ReadonlySet<string> = new Set([
  'hiber.user.CurrentUserService',
  'hiber.value.UnitPreferencesService',
  'quarterdeck.support.v1.SupportService',
]);

/** Rpcs that are about the caller, unless the request names a member. */
const aboutWhomItNames: ReadonlySet<string> = new Set([
  'quarterdeck.session.v1.SessionService.List',
  'quarterdeck.session.v1.SessionService.Revoke',
]);

/** @param request what is asked; without it the answer is for a request that names somebody else where it can */
export function effectOf(method: DescMethod, request?: Message): Effect {
  if (aboutTheCaller.has(method.parent.typeName)) return 'own';
  if (request !== undefined && aboutWhomItNames.has(rpcName(method))) {
    const named = method.input.field['userId'];
    if (named !== undefined && !reflect(method.input, request).isSet(named)) return 'own';
  }
  return exceptions[rpcName(method)] ?? (readerNames.test(method.name) ? 'read' : 'change');
}

/** The rpcs that these tables name, for the test that none of them is misspelt. */
export const exceptional: readonly string[] = [...Object.keys(exceptions), ...aboutWhomItNames];
