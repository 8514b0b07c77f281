/**
 * Events about an organization's users. An event contains the user's id, and its description contains the user's name
 * and address.
 */
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent } from '#server/events/new-event.ts';

export interface PersonRef {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Formats a person as 'Anna Vermeer (operator@northwind.example)'. */
const formatPerson = ({ name, email }: PersonRef): string => (name === '' ? email : `${name} (${email})`);

export function accessRequested(organization: string, user: PersonRef, time: Date): NewEvent {
  const description = `${formatPerson(user)} has asked to join.`;
  return newEvent(
    { organization, time, type: EventType.USER_ACCESS_REQUEST, title: 'Access requested', description },
    (common) => ({ case: 'userAccessRequest', value: { ...common, user: user.id } }),
  );
}

export function userInvited(organization: string, email: string, time: Date): NewEvent {
  const description = `${email} was invited to join.`;
  return newEvent(
    { organization, time, type: EventType.USER_INVITED, title: 'User invited', description },
    (common) => ({ case: 'userInvited', value: { email, ...common } }),
  );
}

export function userAdded(organization: string, user: PersonRef, time: Date): NewEvent {
  const description = `${formatPerson(user)} became a member.`;
  return newEvent({ organization, time, type: EventType.USER_ADDED, title: 'User added', description }, (common) => ({
    case: 'userAdded',
    value: { ...common, user: user.id },
  }));
}

export function userRemoved(organization: string, user: PersonRef, time: Date): NewEvent {
  const description = `${formatPerson(user)} is no longer a member.`;
  return newEvent(
    { organization, time, type: EventType.USER_REMOVED, title: 'User removed', description },
    (common) => ({ case: 'userRemoved', value: { ...common, user: user.id } }),
  );
}

export function userValidationUpdated(organization: string, emailValidationRegex: string, time: Date): NewEvent {
  const description = 'The sign-in rules were changed.';
  return newEvent(
    { organization, time, type: EventType.USER_VALIDATION_UPDATED, title: 'Sign-in rules changed', description },
    (common) => ({ case: 'userValidationUpdated', value: { emailValidationRegex, ...common } }),
  );
}
