// Events about API tokens. They contain the token in the format of TokenService, without its secret.
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Token } from '#proto/gen/hiber/token_pb.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { markResolved, newEvent } from '#server/events/new-event.ts';

export function tokenCreated(organization: string, token: Token, time: Date): NewEvent {
  return newEvent(
    {
      organization,
      time,
      type: EventType.TOKEN_CREATED,
      title: 'Token created',
      description: `Token "${token.name}" was created.`,
    },
    (common) => ({ case: 'tokenCreated', value: { token, ...common } }),
  );
}

export function tokenDeleted(organization: string, token: Token, time: Date): NewEvent {
  return newEvent(
    {
      organization,
      time,
      type: EventType.TOKEN_DELETED,
      title: 'Token deleted',
      description: `Token "${token.name}" was deleted and no longer gives access.`,
    },
    (common) => ({ case: 'tokenDeleted', value: { token, ...common } }),
  );
}

/** Warns in the two weeks before the expiry. The event is resolved from the start (contract: Event JSON shape). */
export function tokenExpiryWarning(organization: string, token: Token, time: Date, healthLevel: HealthLevel): NewEvent {
  return markResolved(
    newEvent(
      {
        organization,
        time,
        healthLevel,
        type: EventType.TOKEN_EXPIRY_WARNING,
        title: 'Token about to expire',
        description: `Token "${token.name}" expires on ${token.expiresAt?.textual ?? 'an unknown date'}.`,
      },
      (common) => ({ case: 'tokenExpiryWarning', value: { token, healthLevel, ...common } }),
    ),
  );
}

export function tokenExpired(organization: string, token: Token, time: Date): NewEvent {
  return newEvent(
    {
      organization,
      time,
      type: EventType.TOKEN_EXPIRED,
      title: 'Token expired',
      description: `Token "${token.name}" has expired and no longer gives access.`,
    },
    (common) => ({ case: 'tokenExpired', value: { token, ...common } }),
  );
}
