import { createContext, useContext, useId } from 'react';

/** What a control takes over from the Field around it. */
export interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

export const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** The attributes that tie a control to its Field; outside a Field, an id of its own. */
export function useFieldWiring(): FieldWiring {
  const wiring = useContext(FieldContext);
  const id = useId();
  return wiring ?? { id };
}
