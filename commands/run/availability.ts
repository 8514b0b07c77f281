import { isPersonal, isSupportOnly, permissionOf, type Ability } from '#commands/model/ability.ts';
import { targetParam, type CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { EntityMetadata } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message, listWithAnd, type Message } from '#commands/text/message.ts';

export type ReasonCode = 'host' | 'organization' | 'ability' | 'feature' | 'readOnly' | 'blocked' | 'selection';

/** The reason why a command can't run now. `missing` names the missing permission, feature, or capability. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: Message;
  readonly missing?: string;
}

export type Availability = { readonly ok: true } | { readonly ok: false; readonly reason: Reason };

/** Thrown if a command can't run now. */
export class UnavailableError extends CommandError {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason.message);
    this.reason = reason;
  }
}

const OK: Availability = { ok: true };

function unavailable(code: ReasonCode, reasonMessage: Message, missing?: string): Availability {
  return {
    ok: false,
    reason: missing === undefined ? { code, message: reasonMessage } : { code, message: reasonMessage, missing },
  };
}

/** Returns a message that names the missing permissions and who can grant them. */
export function permissionMessage(...abilities: readonly Ability[]): Message {
  // An administrator of the organization can't grant support permissions.
  if (abilities.some(isSupportOnly)) return message('core:unavailable.support');
  const keys = new Set(
    abilities.map(
      (ability) => `${isPersonal(ability) ? 'token:userPermission' : 'role:permission'}.${permissionOf(ability)}`,
    ),
  );
  // Each name is in its own quotes because permission names contain commas.
  const names = listWithAnd([...keys].map((key) => message('core:unavailable.permission', { name: message(key) })));
  return message('core:unavailable.ability', { permission: names ?? '', count: keys.size });
}

/** Returns a message that the organization doesn't have a feature. */
export function featureMessage(feature: string): Message {
  return message('core:unavailable.feature', { feature: message(`organization:feature.${feature}`) });
}

/** Returns a message that only support can set a field, or that the user is missing a permission. */
export function fieldPermissionMessage(ability: Ability): Message {
  return isSupportOnly(ability) ? message('core:unavailable.field') : permissionMessage(ability);
}

/** Disables a field for users without the ability and names the missing permission. */
export function blockedWithout(ability: Ability) {
  return ({ actor }: Context): Message | undefined =>
    actor.abilities.has(ability) ? undefined : fieldPermissionMessage(ability);
}

/**
 * Checks whether a command can run now. Must be pure and fast, because the console calls it for every command it shows.
 * Ignores the command's own `blockedReason` until its noun has loaded.
 */
export function availability(command: CommandMetadata, context: Context): Availability {
  const missingCapability = command.needs?.find((capability) => !context.host[capability]);
  if (missingCapability) {
    return unavailable('host', message('core:unavailable.host', { capability: missingCapability }), missingCapability);
  }
  const entity = command.on?.();
  const abilities = [
    ...(entity?.requires && command.effect !== 'navigate' ? [entity.requires] : []),
    ...command.requires,
  ] as Ability[];
  const missingAbilities = abilities.filter((ability) => !context.actor.abilities.has(ability));
  if (missingAbilities.length > 0) {
    if (!context.organization.id) return unavailable('organization', message('core:unavailable.organization'));
    return unavailable(
      'ability',
      permissionMessage(...missingAbilities),
      [...new Set(missingAbilities.map(permissionOf))].join(', '),
    );
  }
  const features = [...(command.effect === 'navigate' ? [] : (entity?.features ?? [])), ...(command.features ?? [])];
  const feature = features.find((value) => !context.organization.features.has(value));
  if (feature) return unavailable('feature', featureMessage(feature), feature);
  if (isReadOnly(context) && (command.preparesChange || changesOrganization(command))) {
    return unavailable('readOnly', message('core:unavailable.readOnly', { organization: context.organization.name }));
  }
  const reason = command.blockedReason?.(context);
  return reason ? unavailable('blocked', reason) : OK;
}

/** True in a support session that does not allow changes yet. */
function isReadOnly({ organization: { supportSession } }: Context): boolean {
  return supportSession !== undefined && !supportSession.changesAllowed;
}

/** True if the command changes the organization instead of only the caller. */
export function changesOrganization(command: CommandMetadata): boolean {
  const changes = command.effect === 'write' || command.effect === 'destructive';
  return changes && command.affectsOnlyCaller !== true && !command.requires.some(isPersonal);
}

/**
 * True if the host is missing a capability that the command needs. Other unavailable commands are shown as disabled,
 * with a reason.
 */
export function isHidden(command: CommandMetadata, context: Context): boolean {
  return command.needs?.some((capability) => !context.host[capability]) ?? false;
}

/**
 * True if a command's entity is on the screen or in the panel, or if the command works everywhere. Determines the
 * scopes of the keymap and the palette's first group.
 */
export function isInScope(command: CommandMetadata, focusedEntity: EntityMetadata | undefined): boolean {
  return command.on
    ? command.on().name === focusedEntity?.name
    : !(focusedEntity && command.notOn?.includes(focusedEntity.name));
}

/**
 * Returns the commands to offer for the target in the selection bar and the panel, where space is limited. They are the
 * commands of its entity with a default key, followed by the commands that act on any target.
 */
export function targetCommands<C extends CommandMetadata>(
  { commands }: { readonly commands: readonly C[] },
  entity: string,
  context: Context,
): readonly C[] {
  const candidates = commands.filter((command) => command.keys !== undefined && !isHidden(command, context));
  return [
    ...candidates.filter((command) => command.on?.().name === entity && targetParam(command)?.entity.name === entity),
    ...candidates.filter((command) => command.onTarget),
  ];
}

/** True if the selection or the active row can be the command's target. */
export function canTargetSelection(command: CommandMetadata, context: Context): boolean {
  const target = targetParam(command);
  const { focus } = context;
  if (target === undefined || focus?.entity !== target.entity.name) return false;
  return focus.target !== undefined || focus.active !== undefined;
}
