import type { z } from 'zod';
import type { predefinedWorkflowSchema } from '../../contracts/http/workflows';

/** A definition as it is written: fields with a default may be left out. */
export type WorkflowSource = z.input<typeof predefinedWorkflowSchema>;
