#!/bin/sh
# SPDX-License-Identifier: ISC
# pdv.sh [SAMPLES] -- photonic Doppler velocimetry, from the capture to the velocity
#
# Light that a moving surface sends back beats with light as it was sent: a velocity v makes a beat
# of 2 v / wavelength.  A capture is made here, whose velocity is known; the pipe below finds it
# again with its uncertainty, in noise as strong as the signal, and never holds more than a few
# blocks of the record.  taf-velocity(7) has more of it.
# pdv.trc, velocity.taf, spectrogram.png and velocity.png are left in the present folder.
set -eu
export LC_ALL=C
# shellcheck source=examples/trc.sh
. "$(dirname "$0")/../trc.sh"
samples=${1:-1000000}
step=5e-11 wavelength=1550e-9

# from 2 us on the surface is driven to 1.5 km/s, and rings: its velocity, and its place
history='u = max(x1 - 2e-6, 0); tau = 3e-6; ring = 8e-6;'
velocity='1500*(1 - exp(-u/tau)) + 100*(1 - cos(2*pi*u/ring))'
place='1500*(u - tau*(1 - exp(-u/tau))) + 100*(u - ring/(2*pi)*sin(2*pi*u/ring))'
{
	trc_header 8 "$samples" 0.002 0 $step 0 pdv
	tafmath -q --clip -t int8 -n "$samples" -a 1=0:$step \
		"$history 40*cos(4*pi/$wavelength*($place)) + 40/sqrt(2)*randn(1)" | taf2raw
} >pdv.trc

# the surface at rest makes no beat
lecroy2taf pdv.trc | taftone -q --duration 20ns,5ns --crop 0.1GHz:5GHz |
	tafcrop -x 1=1:2 --squeeze | tafmath "$wavelength/2*a" |
	tafput label=Velocity unit=m/s -o velocity.taf

# from 200 m/s on, against the truth: slower light may beat below what was looked at
tafcrop -g 2=2.5us: -x 1=1 --squeeze velocity.taf | tafmath "$history a - ($velocity)" -o error.taf
tafcrop -g 2=2.5us: -x 1=2 --squeeze velocity.taf |
	tafmath 'isnan(a) ? nan : abs(b) < 1.96*a' - error.taf -o inside.taf
tafreduce -q rms --finite error.taf | tafread |
	xargs printf 'velocity: off by %.3g m/s rms\n'
tafreduce -q mean --finite inside.taf | tafmath '100*a' | tafread |
	xargs printf 'within 1.96 sigma: %.1f %% of blocks\n'
tafmath 'isnan(a)' error.taf | tafreduce sum,count | tafread |
	xargs printf 'without a tone: %.0f of %.0f blocks\n'
rm error.taf inside.taf

command -v gnuplot >/dev/null || exit 0
# the first 20 us: the spectrogram, time to the right, with the curve over it
lecroy2taf pdv.trc | tafcrop -g 1=0:20us --squeeze |
	tafspectrogram --duration 20ns,20ns --pad 1024 --db | tafcrop -g 1=0:3GHz |
	tafmath 'max(a, -60)' | tafpermute -d 2,1 | tafput label=Power -o spectrogram.taf
tafcrop -g 2=0:20us -x 1=1 --squeeze velocity.taf | tafmath "2/$wavelength*a" |
	tafput label='beat found' unit=Hz -o beat.taf
tafplot --image spectrogram.taf --over beat.taf --legend on --size 900x500 --title '' \
	-o spectrogram.png
# a microsecond of the velocity: its uncertainty would be thinner than the line over all of it
tafcrop -g 2=7us:8us velocity.taf |
	tafplot --band 2 --legend inside --size 900x500 --title '' -o velocity.png
rm spectrogram.taf beat.taf
