/**
 * The keys for actions on items. A letter has the same meaning for every noun, and Shift reverses it. A command that
 * acts on items uses one of these keys, or has no key.
 */
export const LETTERS = {
  /** Opens the fields as a form. */
  edit: 'e',
  tag: 't',
  untag: 'Shift+T',
  lifecycle: 'l',
  /** Assigns a device to a process point that it measures, from either side. */
  measure: 'm',
  unmeasure: 'Shift+M',
  /** Disables or suspends an item until someone resumes it. */
  pause: 'p',
  resume: 'Shift+P',
  /** Deletes, revokes, rejects, or removes an item. Asks for confirmation if this cannot be undone. */
  remove: 'd',
  /** Assigns roles: sets someone's roles, or approves or invites someone with roles. */
  roles: 'r',
  /** Hands an item over to another organization. */
  transfer: 'h',
  /** Duplicates an item. `y` copies it as text instead. */
  duplicate: 'Shift+Y',
  /** Shows an item's values over time. */
  values: 'Shift+V',
  /** Chooses which events an item receives. */
  events: 'f',
  /** Limits the user to some roles, to see what others see. */
  workAs: 'w',
  /** Brings a copy of an item's files to this computer. */
  download: 'z',
  /** Writes an item's data to a file. The export screen has the same letter. */
  export: 'c e',
  /** Opens an item's workbench: a separate screen to change it. */
  workbench: 'v',
} as const;
