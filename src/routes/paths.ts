import { registry } from '#commands/all';
import type { AnyEntity } from '#commands/core/entity';

/** The entity whose screen is at a path, if it is one of this console's. */
export function entityAt(path: string): AnyEntity | undefined {
  return registry.entities.find((entity) => entity.screen?.path === path);
}

/** Where people land when they name no screen: their own choice (spec 3: defaultScreen) if this console has it, else the devices. */
export function homePath(preferences: Readonly<Record<string, unknown>> | undefined): string {
  const wanted = preferences?.['defaultScreen'];
  return typeof wanted === 'string' && entityAt(wanted) ? wanted : '/devices';
}
