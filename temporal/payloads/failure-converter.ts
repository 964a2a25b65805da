import {
  DefaultFailureConverter,
  type PayloadConverter,
  type ProtoFailure,
  type SerializationContext,
} from '@temporalio/common';
import { toWellFormed } from '../../src/base/text/well-formed';

/**
 * Converts errors for the engine. Texts of an error come from anywhere, such as a tool or a server that it called, and
 * may hold half a surrogate pair. The engine's core reads no such text: the worker that sent one would end and could
 * not be started again. Runs in the workflows' sandbox too.
 */
class WellFormedFailureConverter extends DefaultFailureConverter {
  // Is called again for each cause of an error.
  override errorToFailure(
    error: unknown,
    payloadConverter: PayloadConverter,
    context?: SerializationContext,
  ): ProtoFailure {
    const failure = super.errorToFailure(error, payloadConverter, context);
    const { message, stackTrace, applicationFailureInfo: info } = failure;
    return {
      ...failure,
      ...(message == null ? {} : { message: toWellFormed(message) }),
      ...(stackTrace == null ? {} : { stackTrace: toWellFormed(stackTrace) }),
      ...(info?.type == null ? {} : { applicationFailureInfo: { ...info, type: toWellFormed(info.type) } }),
    };
  }
}

/** The SDK finds the converter by this name. */
export const failureConverter = new WellFormedFailureConverter();
