/**
 * The keys of actions on items. A letter means the same on every noun; Shift reverses what the letter does. A command
 * of an entity uses one of these, or has no key.
 */
export const LETTERS = {
  /** Opens the fields as a form. */
  edit: 'e',
  tag: 't',
  untag: 'Shift+T',
  lifecycle: 'l',
  /** Stops it until it is resumed: disable, suspend. */
  pause: 'p',
  resume: 'Shift+P',
  /** Ends it: delete, revoke, reject, remove. What cannot be undone asks for a confirmation. */
  remove: 'd',
  /** Gives roles: sets them, approves or invites someone with them. */
  roles: 'r',
  /** Copies an item as a new item; `y` copies it as text. */
  duplicate: 'Shift+Y',
  /** Chooses which events reach it. */
  events: 'f',
  /** Works with only some roles, to see what others see. */
  workAs: 'w',
} as const;
