// The methods that end the steps of workflows.
import { isRecord } from '../../lib/json.ts';
import { type Method, type MethodEntry, need, Refusal, structured } from './arguments.ts';
import { type Execution, str } from './types.ts';

const running = (executions: ReadonlyMap<string, Execution>, id: string): Execution => {
  const found = executions.get(id);
  if (!found) throw new Refusal('function_execution_not_found');
  if (found.state !== 'running') throw new Refusal('execution_not_in_running_state');
  return found;
};

const completeSuccess: Method = (state, args) => {
  const execution = running(state.executions, need(args, 'function_execution_id'));
  const outputs = structured(args.outputs);
  if (!isRecord(outputs)) throw new Refusal('invalid_arguments');
  Object.assign(execution, { state: 'completed', outputs });
  state.changed();
  return {};
};

const completeError: Method = (state, args) => {
  const execution = running(state.executions, need(args, 'function_execution_id'));
  Object.assign(execution, { state: 'failed', error: str(args.error) ?? need(args, 'error') });
  state.changed();
  return {};
};

export const STEP_METHODS: Readonly<Record<string, MethodEntry>> = {
  'functions.completeSuccess': { run: completeSuccess, scopes: [] },
  'functions.completeError': { run: completeError, scopes: [] },
};
