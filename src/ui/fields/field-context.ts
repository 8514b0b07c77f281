import { createContext, useContext, useId } from 'react';

/** The attributes that a control gets from its Field. */
export interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-required'?: true;
}

export const FieldContext = createContext<FieldWiring | undefined>(undefined);

/** Returns the attributes that connect a control with its Field. Outside a Field, returns only an id. */
export function useFieldWiring(): FieldWiring {
  const wiring = useContext(FieldContext);
  const id = useId();
  return wiring ?? { id };
}
