/** Where the time of users' requests went, effect by effect, before and during the incident. */
package io.gcdiag.measures.effects;
