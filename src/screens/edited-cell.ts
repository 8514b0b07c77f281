/** A cell of a table that is being edited in place. */
export interface EditedCell {
  /** The id of the row's item. */
  readonly id: string;
  readonly column: string;
}
