/**
 * What is known of an incident: dated, sourced, immutable. This package knows neither who fills it
 * nor who reads it.
 */
package io.gcdiag.evidence;
