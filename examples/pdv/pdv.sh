#!/bin/sh
# pdv.sh [SAMPLES] -- photonic Doppler velocimetry, from the capture to the velocity
#
# Light that a moving surface sends back beats with light as it was sent: a velocity v makes a beat
# of 2 v / wavelength.  A capture is made here, whose velocity is known; the pipe below finds it
# again, in noise as strong as the signal, and never holds more than a window of the record.
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

lecroy2taf pdv.trc | tafspectrogram --duration 20e-9,5e-9 --pad 1024 --crop 0.1e9:5e9 |
	tafpeaks -d 1 --centroid --minimum 1e-11 |
	tafcrop -x 1=1 --squeeze | tafmath "$wavelength/2*a" |
	tafput label=Velocity unit=m/s -o velocity.taf

# from 200 m/s on, against the truth; slower light beats below what was looked at
tafcrop -g 1=2.5e-6: velocity.taf | tafmath "$history a/($velocity) - 1" |
	tafreduce rms,absmax | tafread | xargs printf 'velocity: off by %.2g rms, by %.2g at most\n'

command -v gnuplot >/dev/null || exit 0
# the first 20 us: the spectrogram, time to the right, with the curve over it; and the velocity
lecroy2taf pdv.trc | tafcrop -g 1=0:20e-6 --squeeze |
	tafspectrogram --duration 20e-9,20e-9 --pad 1024 --db | tafcrop -g 1=0:3e9 |
	tafmath 'max(a, -60)' | tafpermute -d 2,1 -o spectrogram.taf
tafcrop -g 1=2.5e-6:20e-6 velocity.taf | tafmath "2/$wavelength*a" |
	tafput label='beat found' unit=Hz -o beat.taf
tafplot --image spectrogram.taf --over beat.taf --legend on --size 900x500 --title '' \
	-o spectrogram.png
tafcrop -g 1=0:20e-6 velocity.taf | tafplot --size 900x500 --title '' -o velocity.png
rm spectrogram.taf beat.taf
