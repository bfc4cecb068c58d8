/**
 * What would happen if something were changed: ranges, from measured rates, holds and pauses by
 * simulation or arithmetic, each with its basis and its assumptions. Where the inputs do not carry
 * a prediction, none is made, and it is said why. Predictions change no verdict.
 */
package io.gcdiag.prediction;
