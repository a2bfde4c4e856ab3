/** A member of a record that a question asks for. */
export interface AskedValue {
  name: string;
  label: string;
  isSecret?: true;
}
