import { isPersonal, isSupportOnly, permissionOf, type Ability } from '#commands/model/ability.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { listed, message, type Message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';

export type ReasonCode = 'host' | 'organization' | 'ability' | 'feature' | 'readOnly' | 'blocked' | 'selection';

/** Why a command cannot run now; `lacks` is the permission, feature or capability to ask for. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: Message;
  readonly lacks?: string;
}

export type Availability = { readonly ok: true } | { readonly ok: false; readonly reason: Reason };

const OK: Availability = { ok: true };

function no(code: ReasonCode, text: Message, lacks?: string): Availability {
  return { ok: false, reason: lacks === undefined ? { code, message: text } : { code, message: text, lacks } };
}

/** Names the permissions that somebody lacks, and who can grant them. */
export function lacks(...abilities: readonly Ability[]): Message {
  // Nobody in the organization can grant a support permission.
  if (abilities.some(isSupportOnly)) return message('core:unavailable.support');
  const keys = new Set(
    abilities.map(
      (ability) => `${isPersonal(ability) ? 'token:userPermission' : 'role:permission'}.${permissionOf(ability)}`,
    ),
  );
  const names = listed([...keys].map((key) => message(key)));
  return message('core:unavailable.ability', { permission: names ?? '', count: keys.size });
}

/** Why a field cannot be set: who else sets it, or the permission that somebody lacks. */
export function lacksForField(ability: Ability): Message {
  return isSupportOnly(ability) ? message('core:unavailable.field') : lacks(ability);
}

/** Whether `of` may run here and now. Pure and cheap: surfaces call it for every command they show. */
export function availability(command: Command, context: Context): Availability {
  const missing = command.needs?.find((capability) => !context.host[capability]);
  if (missing) return no('host', message('core:unavailable.host', { capability: missing }), missing);
  const entity = command.on?.();
  const abilities = [
    ...(entity?.requires && command.effect !== 'navigate' ? [entity.requires] : []),
    ...command.requires,
  ] as Ability[];
  const lacking = abilities.filter((ability) => !context.actor.abilities.has(ability));
  if (lacking.length > 0) {
    if (!context.organization.id) return no('organization', message('core:unavailable.organization'));
    return no('ability', lacks(...lacking), [...new Set(lacking.map(permissionOf))].join(', '));
  }
  const features = [...(command.effect === 'navigate' ? [] : (entity?.features ?? [])), ...(command.features ?? [])];
  const feature = features.find((value) => !context.organization.features.has(value));
  if (feature) {
    const name = message(`organization:feature.${feature}`);
    return no('feature', message('core:unavailable.feature', { feature: name }), feature);
  }
  if (isReadOnly(context) && changesOrganization(command)) {
    return no('readOnly', message('core:unavailable.readOnly', { organization: context.organization.name }));
  }
  const reason = command.blocked?.(context);
  return reason ? no('blocked', reason) : OK;
}

/** Support staff look, and change nothing, until they say that they will. */
function isReadOnly({ organization: { visit } }: Context): boolean {
  return visit !== undefined && !visit.changesAllowed;
}

/** Whether it changes something of the organization, and not only of the caller. */
export function changesOrganization(command: Command): boolean {
  const changes = command.effect === 'write' || command.effect === 'destructive';
  return changes && command.own !== true && !command.requires.some(isPersonal);
}

/** A host that lacks what a command needs hides it; everything else is shown, disabled, with its reason. */
export function isHidden(command: Command, context: Context): boolean {
  return command.needs?.some((capability) => !context.host[capability]) ?? false;
}

/**
 * Whether a command belongs to what is in focus: its entity is the one of the screen or the panel, or it acts
 * everywhere. The keymap's scopes and the palette's first group follow this.
 */
export function isInScope(command: Command, focused: AnyEntity | undefined): boolean {
  return command.on ? command.on().name === focused?.name : !(focused && command.notOn?.includes(focused.name));
}

/**
 * What is offered on the target where there is room for few (the selection bar, the panel): the commands of its entity
 * that somebody gave a key, then those that act on any target.
 */
export function targetCommands(registry: Registry, entity: string, context: Context): readonly Command[] {
  const offered = registry.commands.filter((command) => command.keys !== undefined && !isHidden(command, context));
  return [
    ...offered.filter((command) => command.on?.().name === entity && targetParam(command)?.entity.name === entity),
    ...offered.filter((command) => command.onTarget),
  ];
}

/** Whether the selection or the active row would fill this command's target. */
export function fitsSelection(command: Command, context: Context): boolean {
  const target = targetParam(command);
  const { focus } = context;
  if (target === undefined || focus?.entity !== target.entity.name) return false;
  return focus.target !== undefined || focus.active !== undefined;
}
