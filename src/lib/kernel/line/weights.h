/* SPDX-License-Identifier: ISC */
/* Weights of the points around a place. */
#ifndef TAF_KERNEL_LINE_WEIGHTS_H
#define TAF_KERNEL_LINE_WEIGHTS_H

#include <stddef.h>

/* 2 half + 1 weights of a Gaussian bell of sigma points, 1 in all. */
void taf_weights_gauss(double *weight, size_t half, double sigma);

/*
 * 2 half + 1 weights, the first for the earliest point: their sum is the derivative-th
 * derivative, 0 or 1, at place of the polynomial of this order that lies next to the
 * points (least squares).  Points are 1 apart; place is from -half to half, order at most
 * 2 half.
 */
struct taf_polynomial {
	unsigned order, derivative;
	int place;
};
void taf_weights_polynomial(double *weight, size_t half, const struct taf_polynomial *p);

#endif
