import { createContext, useContext, useId } from 'react';

/** The attributes a control takes from its Field. */
export interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

export const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** The attributes that tie a control to its Field; outside a Field, just an id. */
export function useFieldWiring(): FieldWiring {
  const wiring = useContext(FieldContext);
  const id = useId();
  return wiring ?? { id };
}
