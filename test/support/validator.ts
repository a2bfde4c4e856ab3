import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * The validator of the SDK's client, compiling each schema once for all clients of a test file. Every client lists all
 * tools, and compiling their output schemas takes longer than most tests.
 */
class SharedValidator extends AjvJsonSchemaValidator {
  readonly #compiled = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema);
    const compiled = this.#compiled.get(key) ?? super.getValidator<unknown>(schema);
    this.#compiled.set(key, compiled);
    return compiled as JsonSchemaValidator<T>;
  }
}

export const sharedValidator = new SharedValidator();
