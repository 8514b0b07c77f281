import type { DescMethod } from '@bufbuild/protobuf';
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

export function effectOf(method: DescMethod): Effect {
  if (aboutTheCaller.has(method.parent.typeName)) return 'own';
  return exceptions[rpcName(method)] ?? (readerNames.test(method.name) ? 'read' : 'change');
}

/** The rpcs that `exceptions` names, for the test that none of them is misspelt. */
export const exceptional: readonly string[] = Object.keys(exceptions);
