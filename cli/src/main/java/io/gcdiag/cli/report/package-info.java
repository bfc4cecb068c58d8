/**
 * What a report says, as a document of blocks. Built from a diagnosis or a calculation; knows
 * neither a terminal nor a file format.
 */
package io.gcdiag.cli.report;
